"""A LeaseQueue worker with nothing but Python's standard library, 3.9 or later. Its rules: docs/protocol.md

Handlers go into a file of their own: `from worker import Failed, main, task`, then `main()`. Or try it:

    LEASEQUEUE_URL=http://127.0.0.1:8000 python3 worker.py --queues email
"""
from __future__ import annotations

import argparse
import contextlib
import http.client
import json
import os
import random
import signal
import socket
import sys
import threading
import time
import uuid
from typing import Any, Callable
from urllib.parse import urlsplit

ADDRESS = urlsplit(os.environ.get("LEASEQUEUE_URL", "http://127.0.0.1:8000"))
HEADERS = {"content-type": "application/json"}
if os.environ.get("LEASEQUEUE_API_KEY"):
    HEADERS["authorization"] = "Bearer " + os.environ["LEASEQUEUE_API_KEY"]
if os.environ.get("LEASEQUEUE_TENANT"):
    HEADERS["x-leasequeue-tenant"] = os.environ["LEASEQUEUE_TENANT"]

FAILURE = "__typename ... on Failure { code message retryable }"
SELECTIONS = {
    "claimJobs": "pollAgainInMs leases { leaseToken leaseSeconds attempt fence job { id task payload } }",
    "heartbeat": "results { ... on LeaseRenewed { leaseSeconds cancelRequested } " + FAILURE + " }",
    "completeJob": FAILURE, "failJob": FAILURE, "releaseJob": FAILURE,
}


class Failed(Exception):
    """Fails the attempt; `afterSeconds=60` says when the next one is due, `never=True` that none can help."""

    def __init__(self, message: str, **retry: Any) -> None:
        super().__init__(message)
        self.retry = retry


class Stop(BaseException):
    """Ends a handler. No Exception, so that a handler's own `except Exception` lets it through."""


class Refused(Exception):
    """The server said no, and would say it again."""


class Unanswered(Exception):
    """Whether it happened is unknown: the very same request may be sent again."""


class Job:
    """A job under a lease. Pass `id` on as an idempotency key, and `fence` to whatever can refuse an older holder."""

    def __init__(self, lease: dict[str, Any], sent: float) -> None:
        self.id, self.task, self.payload = (lease["job"][name] for name in ("id", "task", "payload"))
        self.attempt, self.fence, self.token = lease["attempt"], lease["fence"], lease["leaseToken"]
        self.news: dict[str, Any] = {}
        self.why_stop = ""
        self.renew(lease["leaseSeconds"], sent)

    def renew(self, seconds: float, sent: float) -> None:
        """Counted from when the request was sent, so that the end here is never later than at the server."""
        self.end, self.beat_at = sent + seconds, sent + seconds / 3

    def is_over(self) -> bool:
        return time.monotonic() >= self.end

    def check(self) -> None:
        """For handlers to call often: ends them when the lease is lost, the job cancelled, or the worker leaving."""
        if self.why_stop or self.is_over():
            raise Stop(self.why_stop or "lease lost")

    def progress(self, percent: float, note: str = "") -> None:
        """Goes out with the next heartbeat. Mended here: bad input would have the whole batch refused."""
        text = note[:500].encode("utf-8", "replace").decode()
        self.news = {"progress": {"percent": min(100, max(0, percent)), "note": text}}
        self.check()


Handler = Callable[[Job], Any]
HANDLERS: dict[str, Handler] = {}


def task(name: str) -> Callable[[Handler], Handler]:
    """Makes a function the handler of a task. What it returns becomes the job's result."""
    return lambda handler: HANDLERS.setdefault(name, handler)


def log(*words: object) -> None:
    print(*words, file=sys.stderr, flush=True)


def wait(is_over: Callable[[], bool], seconds: float = float("inf")) -> None:
    end = time.monotonic() + seconds
    while not is_over() and time.monotonic() < end:
        time.sleep(0.02)


def ask(field: str, values: dict[str, Any], seconds: float = 10) -> Any:
    """One request, and what the field answers."""
    kind = field[0].upper() + field[1:] + "Input!"
    query = f"mutation ($input: {kind}) {{ {field}(input: $input) {{ {SELECTIONS[field]} }} }}"
    body = json.dumps({"query": query, "variables": {"input": values}}, allow_nan=False).encode()
    connect = http.client.HTTPSConnection if ADDRESS.scheme == "https" else http.client.HTTPConnection
    try:
        with contextlib.closing(connect(ADDRESS.netloc, timeout=seconds)) as connection:
            connection.request("POST", ADDRESS.path.rstrip("/") + "/graphql", body, HEADERS)
            response = connection.getresponse()
            answer = json.loads(response.read())
    except (OSError, http.client.HTTPException) as error:
        raise Unanswered(repr(error), 0) from None
    except ValueError:  # not the server: a proxy on the way
        answer = {"errors": [{"message": f"HTTP {response.status} without JSON", "extensions": {}}]}
    if (answer.get("data") or {}).get(field) is not None:
        return answer["data"][field]
    refusal = answer["errors"][0]
    if response.status in (408, 429) or response.status >= 500:
        raise Unanswered(refusal["message"], refusal["extensions"].get("retryAfterMs", 0) / 1000)
    raise Refused(refusal["message"])


def repeat(call: Callable[[], Any], is_over: Callable[[], bool]) -> Any:
    """Calls until there is an answer, ever more slowly and out of step with others."""
    pause = 0.25
    while True:
        try:
            return call()
        except Unanswered as error:
            if is_over():
                raise
            log("trying again:", error.args[0])
            wait(is_over, max(error.args[1], pause * random.uniform(0.5, 1)))
            pause = min(pause * 2, 15)


def outcome(job: Job) -> tuple[str, dict[str, Any]]:
    """Runs the handler, and says how to report."""
    try:
        job.check()
        result = HANDLERS[job.task](job)
        json.dumps(result, allow_nan=False)
        return "completeJob", {"result": result}
    except Stop:
        return "releaseJob", {}
    except Exception as error:
        retry = {"retry": error.retry} if isinstance(error, Failed) and error.retry else {}
        return "failJob", {"error": {"type": type(error).__name__, "message": str(error)}, **retry}


class Worker:
    def __init__(self, queues: list[str], concurrency: int, lease: int, grace: float) -> None:
        self.queues, self.concurrency, self.lease, self.grace = queues, concurrency, lease, grace
        self.id = f"{socket.gethostname()}-{os.getpid()}"[-128:]
        self.held: list[Job] = []
        self.signals = 0

    def run(self) -> None:
        """Works until SIGTERM or SIGINT; a second signal does not wait for the handlers."""
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self.on_signal)
        threading.Thread(target=self.heartbeats, daemon=True).start()
        try:
            while not self.signals:
                wait(lambda: bool(self.signals) or len(self.held) < self.concurrency)
                request_id = str(uuid.uuid4())
                if not self.signals:
                    repeat(lambda: self.claim(request_id), lambda: bool(self.signals))
        except Unanswered:
            pass  # told to stop while the server was away
        finally:
            self.drain()

    def on_signal(self, *_: object) -> None:
        self.signals += 1

    def claim(self, request_id: str) -> None:
        poll, sent = min(5, self.lease // 3), time.monotonic()
        found = ask("claimJobs", {
            "queues": self.queues, "tasks": list(HANDLERS), "max": self.concurrency - len(self.held),
            "workerId": self.id, "requestId": request_id, "leaseSeconds": self.lease, "waitSeconds": poll,
        }, poll + 10)
        for lease in found["leases"]:
            job = Job(lease, sent)
            job.why_stop = "the worker stops" if self.signals else ""
            self.held.append(job)
            threading.Thread(target=self.work, args=[job], daemon=True).start()
        wait(lambda: bool(self.signals), found["pollAgainInMs"] / 1000)

    def work(self, job: Job) -> None:
        try:
            self.settle(job, *outcome(job))
        except (Refused, Unanswered) as error:
            log(job.task, job.id, "could not be reported:", error.args[0])
        finally:
            self.held.remove(job)

    def settle(self, job: Job, verb: str, values: dict[str, Any]) -> None:
        """Reports while the lease lives; the heartbeats go on until there is an answer."""
        if job.why_stop == "lease lost" or job.is_over():
            return log(job.task, job.id, "lease lost, nothing is reported")
        try:
            answer = repeat(lambda: ask(verb, {"jobId": job.id, "leaseToken": job.token, **values}), job.is_over)
            log(job.task, job.id, answer.get("message", answer["__typename"]))
        except Refused as error:
            if verb != "completeJob":
                raise
            self.settle(job, "failJob", {"error": {"type": "ResultRefused", "message": error.args[0]}})

    def heartbeats(self) -> None:
        while True:
            time.sleep(self.lease / 30 * random.uniform(0.5, 1))
            sent = time.monotonic()
            due = [job for job in self.held.copy() if job.beat_at <= sent][:500]
            try:
                self.beat(due, sent)
            except Exception as error:  # they are still due, so that the next round repeats it
                log("heartbeat:", *error.args[:1])

    def beat(self, due: list[Job], sent: float) -> None:
        leases = [{"jobId": job.id, "leaseToken": job.token, **job.news} for job in due]
        results = ask("heartbeat", {"leases": leases}, self.lease / 6)["results"] if leases else []
        for job, result in zip(due, results):
            if "leaseSeconds" in result:
                job.renew(result["leaseSeconds"], sent)
                job.why_stop = job.why_stop or ("cancelled" if result["cancelRequested"] else "")
            elif not result.get("retryable"):
                job.why_stop = "lease lost"

    def drain(self) -> None:
        """Lets the handlers finish, then asks them to stop, then hands back what is left."""
        log("stopping,", len(self.held), "jobs in hand")
        wait(lambda: not self.held or self.signals > 1, self.grace)
        for job in self.held.copy():
            job.why_stop = job.why_stop or "the worker stops"
        wait(lambda: not self.held, 2)
        for job in self.held.copy():
            with contextlib.suppress(Refused, Unanswered):
                ask("releaseJob", {"jobId": job.id, "leaseToken": job.token})


def main() -> None:
    words = argparse.ArgumentParser(description="Works on jobs of LeaseQueue.")
    words.add_argument("--queues", nargs="+", default=["default"])
    words.add_argument("--concurrency", type=int, default=4, help="jobs at once, 1 to 100")
    words.add_argument("--lease", type=int, default=30, help="seconds, 5 to 3600")
    words.add_argument("--grace", type=float, default=25, help="seconds that a stop waits for the handlers")
    try:
        Worker(**vars(words.parse_args())).run()
    except Refused as error:
        sys.exit(f"The server refused: {error.args[0]}")


if __name__ == "__main__":
    @task("email.send")
    def send(job: Job) -> dict[str, Any]:
        job.progress(50, "half of it")
        return {"sentTo": job.payload.get("to")}

    main()
