export function Avatar({ name, title }: { name: string; title?: string }) {
  const letter = [...name.trim()][0]?.toUpperCase() ?? '?'
  return title ? (
    <span className="avatar" role="img" aria-label={title} title={title}>
      {letter}
    </span>
  ) : (
    <span className="avatar" aria-hidden="true">
      {letter}
    </span>
  )
}
