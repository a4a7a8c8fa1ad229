type Head = readonly [title: string, className?: string]

export function ColumnHeads({ of }: { of: readonly Head[] }) {
  return (
    <thead>
      <tr>
        {of.map(([title, className]) => (
          <th key={title} scope="col" className={className}>
            {title}
          </th>
        ))}
      </tr>
    </thead>
  )
}
