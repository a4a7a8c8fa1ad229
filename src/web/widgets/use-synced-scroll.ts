import { type UIEvent, useRef, useState } from 'react'

/** Scrolls several panes together, each to the same share of the distance that it can scroll. */
export function useSyncedScroll() {
  const panes = useRef(new Set<HTMLElement>())
  const scrolledByUs = useRef(new Set<HTMLElement>())
  const [isOn, setOn] = useState(true)
  const [isNeeded, setNeeded] = useState(false)

  // Created once: React would call a new ref function at every render.
  const [paneRef] = useState(() => (pane: HTMLElement | null) => {
    if (!pane) return undefined
    const updateNeeded = () =>
      setNeeded([...panes.current].some((pane) => pane.scrollHeight > pane.clientHeight + 1))
    const observer = new ResizeObserver(updateNeeded)
    panes.current.add(pane)
    observer.observe(pane)
    for (const child of pane.children) observer.observe(child)
    return () => {
      observer.disconnect()
      panes.current.delete(pane)
    }
  })

  function onScroll({ currentTarget: pane }: UIEvent<HTMLElement>) {
    // Ignore the event of a pane that we scrolled ourselves.
    if (scrolledByUs.current.delete(pane) || !isOn) return
    const share = pane.scrollTop / Math.max(1, pane.scrollHeight - pane.clientHeight)
    for (const other of panes.current) {
      const top = Math.round(share * (other.scrollHeight - other.clientHeight))
      if (other === pane || top === Math.round(other.scrollTop)) continue
      scrolledByUs.current.add(other)
      other.scrollTop = top
    }
  }

  return { isOn, isNeeded, toggle: () => setOn(!isOn), paneRef, onScroll }
}
