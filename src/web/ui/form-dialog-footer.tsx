type Props = { formId: string; submitLabel: string; isPending: boolean; onClose: () => void }

/** The buttons of a dialog that contains a form. */
export function FormDialogFooter({ formId, submitLabel, isPending, onClose }: Props) {
  return (
    <>
      <button type="button" className="btn" onClick={onClose}>
        Cancel
      </button>
      <button type="submit" form={formId} className="btn primary" aria-disabled={isPending}>
        {submitLabel}
      </button>
    </>
  )
}
