import { bidiSafe } from '../../ui/bidi-safe.tsx'

/** The label of a field. Optional fields are marked, required ones are not. */
export function LabelText({ label, required }: { label: string; required: boolean | undefined }) {
  return (
    <>
      <bdi>{bidiSafe(label)}</bdi>
      {!required && <span className="opt">optional</span>}
    </>
  )
}
