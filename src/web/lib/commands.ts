import { type RefObject, useEffect, useReducer, useRef } from 'react'
import type { ShortcutName } from './shortcut-table.ts'

/** An entry of the palette. */
export type Command = {
  id: string
  group: string
  label: string
  shortcut?: ShortcutName
  /** One of many, such as a value to filter by: not listed while nothing is typed. */
  isOneOfMany?: boolean
  run: () => void
}

const offered = new Set<RefObject<Command[]>>()
const listeners = new Set<() => void>()

/** Offers commands in the palette while the component is mounted. */
export function useCommands(commands: Command[]): void {
  const latest = useRef(commands)
  latest.current = commands
  useEffect(() => {
    offered.add(latest)
    return () => void offered.delete(latest)
  }, [])
  // After every render, because the commands may have changed. It costs little: only an open
  // palette listens.
  useEffect(() => {
    for (const listener of listeners) listener()
  })
}

/** The commands that the components of the page offer now. */
export function useOfferedCommands(): Command[] {
  const [, update] = useReducer((count: number) => count + 1, 0)
  useEffect(() => {
    listeners.add(update)
    return () => void listeners.delete(update)
  }, [])
  return [...offered].flatMap(({ current }) => current)
}
