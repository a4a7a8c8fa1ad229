/** A filter with the values to choose from. */
export type FilterChoice = {
  label: string
  value: string | undefined
  /** Options without a label show the value as the agent sent it. */
  options: { value: string; label?: string }[]
  onChoose: (value: string | undefined) => void
}

/** With more options than this, the menu shows a submenu, and the palette shows only matching ones. */
export const maxInlineOptions = 4
