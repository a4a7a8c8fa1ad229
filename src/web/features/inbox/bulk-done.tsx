import { tasks } from '../../lib/count.ts'
import { BulkDialog } from './bulk-dialog.tsx'

type Props = { count: number; onConfirm: () => void; onClose: () => void }

export function BulkDone({ count, onConfirm, onClose }: Props) {
  return (
    <BulkDialog
      title={`Mark ${tasks(count)} done?`}
      about="The agents receive the answer “Mark done”."
      confirm={`Mark ${tasks(count)} done`}
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
