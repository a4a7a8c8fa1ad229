import { pluralize } from '../../lib/count.ts'
import { BulkDialog, type BulkDialogCounts } from './bulk-dialog.tsx'

type Props = BulkDialogCounts & { onConfirm: () => void; onClose: () => void }

export function BulkDone({ count, stillOpenCount, onConfirm, onClose }: Props) {
  return (
    <BulkDialog
      count={count}
      stillOpenCount={stillOpenCount}
      title={`Mark ${pluralize(count, 'task')} done?`}
      description="Each task ends with the answer “Mark done”, unless it needs more answers."
      confirmLabel={`Mark ${pluralize(stillOpenCount, 'task')} done`}
      onConfirm={() => {
        onClose()
        onConfirm()
      }}
      onClose={onClose}
    >
      {() => null}
    </BulkDialog>
  )
}
