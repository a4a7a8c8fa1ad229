import styles from './option-digit.module.css'

/**
 * The digit that selects a row, filled in by `useOptionDigits`. Hidden from screen readers like
 * every key cap.
 */
export function OptionDigit() {
  // biome-ignore lint/a11y/noAriaHiddenOnFocusable: kbd takes no focus
  return <kbd className={styles.digit} aria-hidden="true" />
}
