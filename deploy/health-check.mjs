/** The container's health check: ends with 0 if the server in the same container is ready. Needs nothing but Node. */
import process from 'node:process';

const port = process.env.LEASEQUEUE_PORT ?? '8000';

try {
  const response = await fetch(`http://127.0.0.1:${port}/health/ready`, { signal: AbortSignal.timeout(2_000) });
  if (!response.ok) {
    console.error(`not ready: HTTP ${response.status} ${await response.text()}`);
    process.exitCode = 1;
  }
} catch (error) {
  console.error(`not ready: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
