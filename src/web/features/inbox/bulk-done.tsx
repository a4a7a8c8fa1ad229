import { pluralize } from '../../lib/count.ts'
import { BulkDialog } from './bulk-dialog.tsx'

type Props = { count: number; onConfirm: () => void; onClose: () => void }

export function BulkDone({ count, onConfirm, onClose }: Props) {
  return (
    <BulkDialog
      title={`Mark ${pluralize(count, 'task')} done?`}
      description="The agents receive the answer “Mark done”."
      confirmLabel={`Mark ${pluralize(count, 'task')} done`}
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
