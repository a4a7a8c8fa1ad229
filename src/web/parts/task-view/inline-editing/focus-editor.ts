// The form may still have to be loaded, over a slow network.
const maxMilliseconds = 10_000

/**
 * Focuses the editor of a context field once it is on screen, with the cursor at its end; if the
 * field has several, a multi-line one. Keys pressed until then are meant for the editor. They are
 * dropped, because as shortcuts they would answer the task, except for shortcuts of the browser.
 * Escape, Tab, a click or another page ends the wait.
 */
export function focusEditor(field: string): void {
  const until = performance.now() + maxMilliseconds
  const { href } = window.location
  const wait = new AbortController()
  const options = { capture: true, signal: wait.signal }
  window.addEventListener('click', () => wait.abort(), options)
  window.addEventListener(
    'keydown',
    (event) => {
      if (event.key === 'Escape' || event.key === 'Tab') return wait.abort()
      const hasModifier = event.ctrlKey || event.metaKey
      if (/^F\d/.test(event.key) || (hasModifier && event.key !== 'Enter')) return undefined
      event.preventDefault()
      event.stopImmediatePropagation()
    },
    options,
  )
  requestAnimationFrame(function attempt() {
    if (wait.signal.aborted) return
    if (window.location.href !== href) return wait.abort()
    const editors = document.querySelectorAll(`[data-field="${CSS.escape(field)}"] [data-editor]`)
    const find = (control: 'textarea' | 'input') =>
      [...editors].flatMap((editor) => editor.querySelector(control) ?? [])[0]
    const editor = find('textarea') ?? find('input')
    if (!editor && performance.now() < until) return void requestAnimationFrame(attempt)
    wait.abort()
    editor?.focus()
    editor?.setSelectionRange(editor.value.length, editor.value.length)
  })
}
