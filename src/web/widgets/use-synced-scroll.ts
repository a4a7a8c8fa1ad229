import { type UIEvent, useRef, useState } from 'react'

/** Scrolls several panes together, each by the same share of its height. */
export function useSyncedScroll() {
  const boxes = useRef(new Set<HTMLElement>())
  const scrolledByUs = useRef(new Set<HTMLElement>())
  const [isOn, setOn] = useState(true)
  const [isNeeded, setNeeded] = useState(false)

  // Created once: React would call a new ref function at every render.
  const [watch] = useState(() => (box: HTMLElement | null) => {
    if (!box) return undefined
    const updateNeeded = () =>
      setNeeded([...boxes.current].some((each) => each.scrollHeight > each.clientHeight + 1))
    const observer = new ResizeObserver(updateNeeded)
    boxes.current.add(box)
    observer.observe(box)
    for (const child of box.children) observer.observe(child)
    return () => {
      observer.disconnect()
      boxes.current.delete(box)
    }
  })

  function follow({ currentTarget: box }: UIEvent<HTMLElement>) {
    // Ignore the event of a pane that we scrolled ourselves.
    if (scrolledByUs.current.delete(box) || !isOn) return
    const share = box.scrollTop / Math.max(1, box.scrollHeight - box.clientHeight)
    for (const other of boxes.current) {
      const top = Math.round(share * (other.scrollHeight - other.clientHeight))
      if (other === box || top === Math.round(other.scrollTop)) continue
      scrolledByUs.current.add(other)
      other.scrollTop = top
    }
  }

  return { isOn, isNeeded, toggle: () => setOn(!isOn), watch, follow }
}
