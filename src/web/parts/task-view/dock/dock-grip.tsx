import { type KeyboardEvent, type PointerEvent, useLayoutEffect, useRef } from 'react'
import { setPreference, usePreference } from '../../../lib/preferences.ts'
import styles from './dock-grip.module.css'
import { isFormCut, useDockRoom } from './use-dock-room.ts'

// In pixels. The dock keeps its header and footer, and the task stays readable.
const minHeight = 160
const minTaskHeight = 160
// What an arrow key adds or removes.
const step = 24

/**
 * Changes the maximum height of the dock. The height is set on the element, because rendering a long
 * form at each move of the pointer would be slow.
 */
export function DockGrip({ onFold }: { onFold: () => void }) {
  const grip = useRef<HTMLDivElement>(null)
  const dragged = useRef<{ from: number; start: number; height: number } | undefined>(undefined)
  const stored = usePreference('dockHeight')
  const dock = () => grip.current?.parentElement
  useLayoutEffect(() => setHeight(dock(), stored), [stored])
  useDockRoom(grip, minHeight)

  const heightOf = () => dock()?.offsetHeight ?? 0
  const clamp = (height: number) => {
    const available = (dock()?.parentElement?.clientHeight ?? 0) - minTaskHeight
    return Math.round(Math.max(minHeight, Math.min(height, available)))
  }
  // Whether a greater maximum height would make the dock higher. If the whole form is visible, it
  // would not, and storing the height of the dock could lower the maximum and cut a longer form.
  const canGrow = () => {
    const box = dock()
    return !box?.querySelector('[data-answer-form]') || isFormCut(box)
  }
  const save = (height: number) => setPreference('dockHeight', String(clamp(height)))

  function move(event: PointerEvent) {
    if (!dragged.current) return
    const { from, start } = dragged.current
    const height = clamp(start + from - event.clientY)
    if (height > heightOf() && !canGrow()) return
    dragged.current.height = height
    setHeight(dock(), String(height))
  }

  function drop() {
    if (dragged.current && dragged.current.height > 0) save(dragged.current.height)
    dragged.current = undefined
  }

  function resize(event: KeyboardEvent) {
    const heights: Record<string, number> = {
      ArrowUp: heightOf() + step,
      ArrowDown: heightOf() - step,
      Home: 0,
      End: Number.POSITIVE_INFINITY,
    }
    const height = heights[event.key]
    if (height === undefined && event.key !== 'Enter') return
    event.preventDefault()
    if (height === undefined) onFold()
    else if (event.key !== 'ArrowUp' || canGrow()) save(height)
  }

  return (
    // biome-ignore lint/a11y/useSemanticElements: an hr takes no focus
    <div
      ref={grip}
      className={styles.grip}
      role="separator"
      tabIndex={0}
      aria-orientation="horizontal"
      aria-label="Height of your answer"
      // `useDockRoom` keeps it up to date.
      aria-valuenow={0}
      title="Drag to resize. Double-click to reset."
      onPointerDown={(event) => {
        if (event.button !== 0) return
        event.currentTarget.setPointerCapture(event.pointerId)
        dragged.current = { from: event.clientY, start: heightOf(), height: 0 }
      }}
      onPointerMove={move}
      // Called after the button was released, or the browser has taken over the pointer.
      onLostPointerCapture={drop}
      onDoubleClick={() => setPreference('dockHeight', '')}
      onKeyDown={resize}
    />
  )
}

function setHeight(dock: HTMLElement | null | undefined, height: string): void {
  if (height === '') dock?.style.removeProperty('--dock-height')
  else dock?.style.setProperty('--dock-height', `${height}px`)
}
