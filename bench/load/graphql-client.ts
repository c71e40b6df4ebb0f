/** Operations over a few keep-alive connections, each used by one request at a time. */
import { graphqlBody } from './documents.ts';
import { type HttpAnswer, HttpConnection, requestBytes, type RequestParts } from './http-connection.ts';
import { checkAnswer } from './http-load.ts';

const ANSWERED = Buffer.from('{"data"');

export class GraphqlClient {
  readonly #url: string;
  readonly #key: string | null;
  readonly #idle: HttpConnection[] = [];
  readonly #all: HttpConnection[] = [];

  /** `key`: signs every request; absent: nobody signs in. */
  constructor(url: string, key: string | null = null) {
    this.#url = url;
    this.#key = key;
  }

  /** Answers with the field `field` of the data; throws where anything is wrong with the answer. */
  async call<Result>(field: string, document: string, variables: object, tenant?: string): Promise<Result> {
    return (await this.data<Readonly<Record<string, Result>>>(document, variables, tenant))[field] as Result;
  }

  async data<Data>(document: string, variables: object, tenant?: string): Promise<Data> {
    const answer = await this.request({ body: graphqlBody(document, variables), ...(tenant !== undefined && { tenant }) });
    checkAnswer(answer, ANSWERED);
    return (JSON.parse(answer.body.toString('utf8')) as { readonly data: Data }).data;
  }

  request(parts: RequestParts): Promise<HttpAnswer> {
    const connection = this.#idle.pop() ?? this.#connect();
    return new Promise((resolve, reject) => {
      connection.send(requestBytes(this.#key === null ? parts : { ...parts, key: this.#key }), (error, answer) => {
        if (answer === null) return reject(error ?? new Error('no answer'));
        this.#idle.push(connection);
        return resolve(answer);
      });
    });
  }

  close(): void {
    for (const connection of this.#all) connection.close();
  }

  #connect(): HttpConnection {
    const connection = new HttpConnection(this.#url);
    this.#all.push(connection);
    return connection;
  }
}

export interface Typed {
  readonly __typename: string;
}

/** Throws where the answer is another one. */
export function must(expected: string, result: Typed | undefined): void {
  const { __typename: kind } = result ?? { __typename: 'nothing' };
  if (kind !== expected) throw new Error(`${JSON.stringify(result)} instead of ${expected}`);
}
