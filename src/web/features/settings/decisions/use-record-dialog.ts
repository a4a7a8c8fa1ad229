import type { UseQueryResult } from '@tanstack/react-query'
import { useRef, useState } from 'react'

type RecordDialog<T> = { action: 'create' } | { action: 'edit' | 'delete'; record: T }

/** Which dialog of a page with records is open. */
export function useRecordDialog<T>(query: UseQueryResult<T[]>, idOf: (record: T) => string) {
  const [dialog, setDialog] = useState<RecordDialog<T>>()
  const [missing, setMissing] = useState<T>()
  const [openingId, setOpeningId] = useState<string>()
  const clicks = useRef(0)
  function show(next: RecordDialog<T> | undefined) {
    clicks.current++
    setMissing(undefined)
    setOpeningId(undefined)
    setDialog(next)
  }
  return {
    dialog,
    /** The record that was to be edited but no longer exists. */
    missing,
    isOpening: (record: T) => idOf(record) === openingId,
    create: () => show({ action: 'create' }),
    /** Another admin may have changed or deleted the record since the list was loaded. */
    async edit(record: T) {
      show(undefined)
      setOpeningId(idOf(record))
      const click = clicks.current
      const { data } = await query.refetch()
      if (click !== clicks.current) return
      setOpeningId(undefined)
      const newest = data?.find((other) => idOf(other) === idOf(record))
      if (newest) show({ action: 'edit', record: newest })
      else setMissing(record)
    },
    remove: (record: T) => show({ action: 'delete', record }),
    close: () => show(undefined),
  }
}
