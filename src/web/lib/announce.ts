let region: HTMLElement | undefined

/** Has screen readers say what the page shows without a text, such as an icon that changes. */
export function announce(message: string): void {
  region ??= createRegion()
  // A message is announced only if the text changes after the region has been there for a moment.
  region.textContent = ''
  setTimeout(() => {
    if (region) region.textContent = message
  }, 100)
}

function createRegion(): HTMLElement {
  const created = document.createElement('div')
  created.className = 'sr-only'
  created.role = 'status'
  // A dialog hides the rest of the page from screen readers, except elements with this attribute.
  created.ariaLive = 'polite'
  document.body.append(created)
  return created
}
