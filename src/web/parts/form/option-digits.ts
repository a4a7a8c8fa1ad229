import { type RefObject, useLayoutEffect } from 'react'
import { rootId } from './control.ts'

/**
 * The digits of a comparison whose winner the form field `property` names. Its panes have the digits 1
 * to `count`, and the options of `property` have the same digits. Other options have higher digits.
 */
export type PaneDigits = { property: string; count: number }

/**
 * Numbers the options of all choices of the form in order, so that a digit selects an option without
 * the focus. The digits are set on the elements, because no field knows how many options the fields
 * above it have.
 */
export function useOptionDigits(form: RefObject<HTMLElement | null>, panes: PaneDigits | undefined): void {
  const { property, count = 0 } = panes ?? {}
  useLayoutEffect(() => {
    const box = form.current
    if (!box) return undefined
    const groupId = property === undefined ? undefined : `${rootId}_${property}`
    const number = () => numberOptions(box, groupId, count)
    number()
    // Fields come and go with the answer, for example the items of a list.
    const observer = new MutationObserver(number)
    observer.observe(box, { childList: true, subtree: true })
    return () => observer.disconnect()
  }, [form, property, count])
}

function numberOptions(form: HTMLElement, groupId: string | undefined, paneCount: number): void {
  const rows = [...form.querySelectorAll<HTMLElement>('[data-option]')]
  const isOfPanes = (row: HTMLElement) => row.closest('[data-options]')?.id === groupId
  const ofPanes = groupId === undefined ? [] : rows.filter(isOfPanes)
  const others = rows.filter((row) => !ofPanes.includes(row))
  let next = ofPanes.length > 0 ? 1 : paneCount + 1
  for (const row of [...ofPanes, ...others]) {
    // The options of a rating are labelled with numbers, so each takes only the digit that is its label.
    const label = row.dataset.option
    const digit = next <= 9 && (!label || label === String(next)) ? String(next) : undefined
    if (digit !== undefined) next += 1
    for (const element of [row, row.querySelector('kbd')]) setDigit(element, digit)
  }
}

function setDigit(element: Element | null, digit: string | undefined): void {
  if (digit === undefined) element?.removeAttribute('data-digit')
  else element?.setAttribute('data-digit', digit)
}

/** Selects the option with this digit in the form. Returns false if there is none, or if it is disabled. */
export function pickOption(digit: number, formSelector: string): boolean {
  const row = document.querySelector(`${formSelector} [data-option][data-digit="${digit}"]`)
  const control = row?.querySelector<HTMLInputElement | HTMLButtonElement>('input, button')
  if (!control || control.disabled) return false
  control.click()
  control.focus()
  return true
}
