import styles from './charts.module.css'

type Head = readonly [title: string, ...kinds: ('r' | 'wide' | 'spare' | 'lesser')[]]

export function ColumnHeads({ of }: { of: readonly Head[] }) {
  return (
    <thead>
      <tr>
        {of.map(([title, ...kinds]) => (
          <th key={title} scope="col" className={kinds.map((kind) => styles[kind]).join(' ')}>
            {title}
          </th>
        ))}
      </tr>
    </thead>
  )
}
