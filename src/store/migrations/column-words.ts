/** What a migration has to spell differently per engine. */

/** Words of the definition language that differ between engines. */
export interface ColumnWords {
  /** Type and constraint of a key that counts up by itself. */
  readonly serialKey: string;
  /** A whole number of 64 bits. */
  readonly integer: string;
  readonly plainEnd: string;
  /** End of a table that is stored in the order of its primary key. */
  readonly clusteredEnd: string;
}
