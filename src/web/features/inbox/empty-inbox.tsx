export function EmptyInbox() {
  return (
    <div className="empty grow">
      <svg
        width="120"
        height="56"
        viewBox="0 0 120 56"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
        strokeLinecap="round"
        strokeLinejoin="round"
        aria-hidden="true"
      >
        <path d="M4 52h28v-9h28v-9h28v-9h28" opacity=".45" />
        <path d="M10 31h8L104 4h8" stroke="var(--accent)" strokeWidth="2.5" />
        <path d="M20 31v21M48 22v21M76 13v21M104 4v21" />
      </svg>
      <h2>Nothing needs you</h2>
      <p>New tasks appear here by themselves.</p>
    </div>
  )
}
