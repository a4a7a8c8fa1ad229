/** Copies a text. Returns whether that worked. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    // The clipboard API works only over HTTPS or on localhost.
    const area = document.createElement('textarea')
    area.value = text
    area.style.position = 'fixed'
    area.style.opacity = '0'
    const focused = document.activeElement
    // A dialog takes the focus back from elements outside it.
    const dialog = focused?.closest('[role=dialog], [role=alertdialog]')
    ;(dialog ?? document.body).append(area)
    area.select()
    const isCopied = document.execCommand('copy')
    area.remove()
    if (focused instanceof HTMLElement) focused.focus({ preventScroll: true })
    return isCopied
  }
}
