/** A process of its own that starts and stops servers; it has to end by itself. */
import { startApp } from './app.ts';

const first = await startApp();
await first.app.stop();
const others = [await startApp(), await startApp()];
for (const { url } of others) await (await fetch(`${url}/metrics`)).text();
for (const { app } of others) await app.stop();
process.stdout.write('stopped\n');
