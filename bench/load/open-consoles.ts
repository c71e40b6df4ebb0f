/** Twenty people who look at the console, in a process of their own. */
import { Page, type Received } from '../consoles/page.ts';
import { twentySeats } from '../consoles/seats.ts';
import type { Figures } from '../row.ts';

export interface OpenConsoles {
  readonly url: string;
  /** The queue that is busy. */
  readonly queue: string;
}

const pages: Page[] = [];
const received: Received = { answers: 0, messages: 0, bytes: 0 };
const problems: Error[] = [];

/** Ends when every page has all that it shows. They stay open until `closeConsoles`. */
export async function openConsoles({ url, queue }: OpenConsoles): Promise<void> {
  const seats = twentySeats(queue);
  const open = seats.map((seat, index) => Page.open({ url, seat, phase: index / seats.length, received, onProblem: (error) => problems.push(error) }));
  pages.push(...(await Promise.all(open)));
}

/** Since the process began. Throws where a page was refused anything. */
export async function consoleUsage(_nothing: object): Promise<Figures & Received & { readonly cpuMs: number }> {
  const [problem] = problems;
  if (problem !== undefined) throw problem;
  const { user, system } = process.cpuUsage();
  return { cpuMs: (user + system) / 1_000, ...received };
}

export async function closeConsoles(_nothing: object): Promise<void> {
  for (const page of pages.splice(0)) page.close();
}
