/** Fields by name, of which any may be asked for, so that nothing is inherited. An object without a prototype of its own would be slow. */
export class BareFields {
  [name: string]: unknown;
}
Object.setPrototypeOf(BareFields.prototype, null);
Reflect.deleteProperty(BareFields.prototype, 'constructor');
