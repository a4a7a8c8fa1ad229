import { tasks } from '../../lib/count.ts'
import { BulkDialog } from './bulk-dialog.tsx'

type Props = { count: number; onConfirm: () => void; onClose: () => void }

export function BulkDone({ count, onConfirm, onClose }: Props) {
  return (
    <BulkDialog
      title={`Mark ${tasks(count)} done?`}
      description="The agents receive the answer “Mark done”."
      confirmLabel={`Mark ${tasks(count)} done`}
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
