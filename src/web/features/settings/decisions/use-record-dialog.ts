import type { UseQueryResult } from '@tanstack/react-query'
import { useRef, useState } from 'react'

type RecordDialog<T> = { action: 'create' } | { action: 'edit' | 'delete'; record: T }

/** The state of the dialog that creates, edits or deletes a record of a list. */
export function useRecordDialog<T>(query: UseQueryResult<T[]>, idOf: (record: T) => string) {
  const [dialog, setDialog] = useState<RecordDialog<T>>()
  const [missing, setMissing] = useState<T>()
  const [openingId, setOpeningId] = useState<string>()
  const dialogChanges = useRef(0)
  function show(next: RecordDialog<T> | undefined) {
    dialogChanges.current++
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
    /** Loads the list again first: another admin may have changed or deleted the record. */
    async edit(record: T) {
      show(undefined)
      setOpeningId(idOf(record))
      const changesBefore = dialogChanges.current
      const { data } = await query.refetch()
      // Another dialog was opened or closed in the meantime.
      if (changesBefore !== dialogChanges.current) return
      setOpeningId(undefined)
      const newest = data?.find((other) => idOf(other) === idOf(record))
      if (newest) show({ action: 'edit', record: newest })
      else setMissing(record)
    },
    remove: (record: T) => show({ action: 'delete', record }),
    close: () => show(undefined),
  }
}
