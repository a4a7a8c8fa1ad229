/** The first control of a form that can take the focus. */
export function firstControl(form: Element | null | undefined): HTMLElement | undefined {
  return controlsIn(form)[0]
}

/** The controls of a form that can take the focus. */
export function controlsIn(form: Element | null | undefined): HTMLElement[] {
  const controls = form?.querySelectorAll<HTMLInputElement>('input:not([type=hidden]), textarea, select')
  return [...(controls ?? [])].filter((control) => !control.disabled && !control.closest('[hidden]'))
}
