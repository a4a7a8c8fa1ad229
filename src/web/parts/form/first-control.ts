/** The first control of a form that can take the focus. */
export function firstControl(form: Element | null | undefined): HTMLElement | undefined {
  const controls = form?.querySelectorAll<HTMLInputElement>('input:not([type=hidden]), textarea, select')
  return [...(controls ?? [])].find((control) => !control.disabled && !control.closest('[hidden]'))
}
