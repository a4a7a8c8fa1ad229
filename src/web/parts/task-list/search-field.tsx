import { Search, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { limits } from '../../../contract/limits.ts'
import { isComposing } from '../../lib/is-composing.ts'
import { Icon } from '../../ui/icon.tsx'
import styles from './search-field.module.css'

// The search starts after a pause in typing of this length.
const debounceMilliseconds = 250

type Props = {
  id: string
  label: string
  q: string | undefined
  onSearch: (q: string | undefined) => void
  /** Enter: opens the first result. */
  onSubmit: (q: string | undefined) => void
  /** Moves the focus to the list, whether or not a search is active. */
  onLeave: () => void
}

export function SearchField({ id, label, q, onSearch, onSubmit, onLeave }: Props) {
  const [text, setText] = useState(q ?? '')
  const searched = useRef(q)
  // The timer calls the latest function, because an earlier one would restore filters that have
  // changed since.
  const latestOnSearch = useRef(onSearch)
  latestOnSearch.current = onSearch
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)

  // The URL changed through Back or a link.
  useEffect(() => {
    if (q === searched.current) return
    clearTimeout(timer.current)
    searched.current = q
    setText(q ?? '')
  }, [q])
  useEffect(() => () => clearTimeout(timer.current), [])

  function search(next: string) {
    clearTimeout(timer.current)
    const query = next.trim() === '' ? undefined : next
    if (query === searched.current) return
    searched.current = query
    latestOnSearch.current(query)
  }

  function closeSearch() {
    setText('')
    search('')
    onLeave()
  }

  return (
    <div className={styles.search}>
      <Icon of={Search} />
      <input
        id={id}
        type="search"
        aria-label={label}
        placeholder="Search by text or task ID"
        maxLength={limits.query}
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={(event) => {
          const next = event.target.value
          setText(next)
          clearTimeout(timer.current)
          timer.current = setTimeout(() => search(next), debounceMilliseconds)
        }}
        onKeyDown={(event) => {
          if (isComposing(event) || !['Enter', 'Escape', 'ArrowDown'].includes(event.key)) return
          event.preventDefault()
          if (event.key === 'Escape') return closeSearch()
          search(text)
          if (event.key === 'Enter') onSubmit(text.trim() === '' ? undefined : text)
          onLeave()
        }}
      />
      <button type="button" className="btn square" aria-label="Close search (Esc)" onClick={closeSearch}>
        <Icon of={X} />
      </button>
    </div>
  )
}
