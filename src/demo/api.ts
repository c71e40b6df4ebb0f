/** The demo's road to the server: the same GraphQL API over HTTP that everybody has. */
import type { TypedDocumentString } from '../client/generated/graphql.ts';

/** Runs one typed operation. Throws where the whole request failed. */
export type Call = <Result, Variables>(document: TypedDocumentString<Result, Variables>, variables: Variables) => Promise<Result>;

interface Answer<Result> {
  readonly data?: Result | null;
  readonly errors?: readonly { readonly message: string }[];
}

export function createCall(url: string, signal: AbortSignal): Call {
  return async (document, variables) => {
    const response = await fetch(url, {
      method: 'POST',
      signal,
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify({ query: document.toString(), variables }),
    });
    return resultOf(await response.json());
  };
}

function resultOf<Result>(answer: unknown): Result {
  const { data, errors } = answer as Answer<Result>;
  if (errors !== undefined || data === undefined || data === null)
    throw new Error(errors?.map(({ message }) => message).join(' ') ?? 'The answer holds no data.');
  return data;
}
