import { type RefObject, useLayoutEffect } from 'react'

/** Whether the form is higher than the dock shows. */
export function isFormCut(dock: HTMLElement): boolean {
  const form = dock.querySelector('[data-answer-form]')
  return form !== null && form.scrollHeight > form.clientHeight
}

/**
 * Lets the dock grow into the space that a short context leaves empty, and keeps the values of the
 * grip up to date. The grip is hidden while the whole form is visible and the dock is no higher than
 * that space or, if that is more, than `minHeight` pixels.
 */
export function useDockRoom(grip: RefObject<HTMLElement | null>, minHeight: number): void {
  useLayoutEffect(() => {
    const box = grip.current?.parentElement
    const content = document.getElementById('task-content')
    const text = document.getElementById('task-text')
    if (!box?.parentElement || !content?.parentElement || !text) return undefined
    const panes = box.parentElement
    const task = content.parentElement

    function measure() {
      if (!box || !content || !text) return
      // The height of the task without its content. `text` is the content without the empty space
      // below it.
      const bars = task.offsetHeight - content.clientHeight
      const { paddingTop, paddingBottom } = getComputedStyle(text.parentElement ?? text)
      const padding = Number.parseFloat(paddingTop) + Number.parseFloat(paddingBottom)
      const room = Math.max(0, Math.floor(panes.clientHeight - bars - padding - text.offsetHeight))
      box.style.setProperty('--dock-room', `${room}px`)

      const percent = (height: number) => String(Math.round((100 * height) / panes.clientHeight))
      const values = {
        'aria-valuenow': percent(box.offsetHeight),
        'aria-valuemin': percent(Math.max(minHeight, room)),
        'aria-valuemax': '100',
      }
      for (const [name, value] of Object.entries(values)) grip.current?.setAttribute(name, value)
      grip.current?.toggleAttribute(
        'hidden',
        !isFormCut(box) && box.offsetHeight <= Math.max(room, minHeight),
      )
    }

    const observer = new ResizeObserver(measure)
    // The content changes its height when a strip appears around it.
    for (const element of [panes, content, text, box]) observer.observe(element)
    return () => {
      observer.disconnect()
      box.style.removeProperty('--dock-room')
    }
  }, [grip, minHeight])
}
