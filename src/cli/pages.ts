/** Lists of the API, page after page. Each page is a query of its own: nothing stays open at the server between them. */

interface Page<Node> {
  readonly nodes: readonly Node[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

/** The rows of each page, until there are no more. */
export async function* pagesOf<Node>(load: (after: string | null) => Promise<Page<Node>>, first: string | null = null): AsyncGenerator<readonly Node[]> {
  for (let after = first; ; ) {
    const { nodes, pageInfo } = await load(after);
    yield nodes;
    if (!pageInfo.hasNextPage || pageInfo.endCursor === null) return;
    after = pageInfo.endCursor;
  }
}
