/** Not drawn yet. */
export function JobPage({ id }: { readonly id: string }) {
  return <h1>{id}</h1>;
}
