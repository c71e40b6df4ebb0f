/** Loaded into a server under test: answers what only the process itself can know. Plain JavaScript, so that it costs next to nothing. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Timers of 1 ms, so that a stall is known to within 1 ms. */
const RESOLUTION_MS = 1;
const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });

function usage() {
  const { user, system } = process.cpuUsage();
  const { rss, heapUsed } = process.memoryUsage();
  return { rssBytes: rss, heapBytes: heapUsed, cpuMs: (user + system) / 1_000 };
}

const ANSWERS = {
  usage,
  settledUsage() {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc');
    for (let pass = 0; pass < 3; pass++) collect();
    return usage();
  },
  watchStalls() {
    delay.reset();
    delay.enable();
    return {};
  },
  stalls() {
    delay.disable();
    return { maxMs: Math.max(0, delay.max / 1e6 - RESOLUTION_MS), p99Ms: Math.max(0, delay.percentile(99) / 1e6 - RESOLUTION_MS) };
  },
};

process.on('message', ({ id, question }) => process.send({ id, answer: ANSWERS[question]() }));
process.channel.unref();
// Whoever measures is gone.
process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
