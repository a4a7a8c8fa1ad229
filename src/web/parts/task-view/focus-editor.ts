// The form may still have to be loaded.
const maxMilliseconds = 3_000

/**
 * Focuses the editor of a context field once it is on screen, a long text first, with the cursor at its end. Keys that are
 * typed until then are meant for the editor, so they are dropped: as shortcuts they would answer the task.
 */
export function focusEditor(field: string): void {
  const until = performance.now() + maxMilliseconds
  window.addEventListener('keydown', drop, { capture: true })
  requestAnimationFrame(function attempt() {
    const editors = document.querySelectorAll(`[data-field="${CSS.escape(field)}"] [data-editor]`)
    const find = (control: 'textarea' | 'input') =>
      [...editors].flatMap((editor) => editor.querySelector(control) ?? [])[0]
    const editor = find('textarea') ?? find('input')
    if (!editor && performance.now() < until) return void requestAnimationFrame(attempt)
    window.removeEventListener('keydown', drop, { capture: true })
    editor?.focus()
    editor?.setSelectionRange(editor.value.length, editor.value.length)
  })
}

function drop(event: KeyboardEvent): void {
  if (event.key === 'Escape' || event.key === 'Tab') return
  event.preventDefault()
  event.stopImmediatePropagation()
}
