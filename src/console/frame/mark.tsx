/** The sign of LeaseQueue: a queue, and the lease that is running. */
export function Mark() {
  return (
    <svg class="mark" viewBox="0 0 32 32" width="24" height="24" aria-hidden="true">
      <rect width="32" height="32" rx="8" />
      <path d="M8 10h16M8 16h16M8 22h7" />
      <circle cx="22.5" cy="22" r="3.6" />
    </svg>
  );
}
