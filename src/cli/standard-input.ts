/** Standard input as one text, up to a size that its reader chooses. */
import { CommandFailure, EXIT } from './failure.ts';

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Throws a CommandFailure where there is more of it, or where it is not UTF-8. */
export async function standardInput(bytesMax: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > bytesMax) throw new CommandFailure(`standard input is longer than ${bytesMax} bytes. Nothing was done.`, EXIT.failed);
  }
  try {
    return decoder.decode(Buffer.concat(chunks));
  } catch (error) {
    throw new CommandFailure('standard input is not UTF-8. Nothing was done.', EXIT.failed, { cause: error });
  }
}
