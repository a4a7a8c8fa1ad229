export type FilterChoice = {
  label: string
  value: string | undefined
  /** Options without a label show the value as the agent sent it. */
  options: { value: string; label?: string }[]
  onChoose: (value: string | undefined) => void
}
