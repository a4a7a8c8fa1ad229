export type FilterChoice = {
  label: string
  value: string | undefined
  /** Each value with its words; without words the value itself is shown, as the sender wrote it. */
  options: { value: string; words?: string }[]
  onChoose: (value: string | undefined) => void
}
