import { useMemo, useState } from 'react'
import { pluralize } from '../lib/count.ts'
import { escapeBidi } from '../lib/escape-bidi.ts'
import { bidiSafe } from '../ui/bidi-safe.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { findInJson, maxMatches } from './find-in-json.ts'
import styles from './json.module.css'
import { JsonTree } from './json-tree.tsx'
import type { WidgetProps } from './registry.ts'
import { isScalar } from './scalar.tsx'
import widgetsStyles from './widgets.module.css'

// In characters of JSON. Shorter values have no search field.
const minLengthToSearch = 400

/** Any value as a tree, with a search for names and values. */
export default function Json({ value }: WidgetProps) {
  const [query, setQuery] = useState('')
  const found = useMemo(() => findInJson(value, query.trim()), [value, query])
  if (isScalar(value)) return <pre className="payload">{bidiSafe(JSON.stringify(value) ?? '')}</pre>
  const isLong = (JSON.stringify(value)?.length ?? 0) > minLengthToSearch
  return (
    <div className={styles.jsonBox}>
      <div className={styles.jsonTools}>
        {isLong && (
          <input
            className="input"
            type="search"
            value={query}
            placeholder="Search names and values"
            aria-label="Search names and values"
            onChange={({ target }) => setQuery(target.value)}
          />
        )}
        <CopyButton className="text-button" confirmation="text" text={() => JSON.stringify(value, null, 2)}>
          Copy JSON
        </CopyButton>
      </div>
      {query.trim() === '' ? (
        <JsonTree value={value} />
      ) : (
        <>
          <p className="help" role="status">
            {found.length === 0
              ? 'No results'
              : found.length >= maxMatches
                ? `First ${maxMatches} results`
                : pluralize(found.length, 'result')}
          </p>
          <ul className={`${widgetsStyles.json} ${widgetsStyles.found}`}>
            {found.map(({ path, shown }) => (
              <li key={path}>
                <CopyButton label={`Copy path ${escapeBidi(path)}`} text={() => path}>
                  <span className={widgetsStyles.key}>
                    <bdi>{bidiSafe(path)}</bdi>
                  </span>
                </CopyButton>
                <bdi className="pre-wrap">{bidiSafe(shown)}</bdi>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  )
}
