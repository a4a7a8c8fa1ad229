import { Dialog } from '../../ui/dialog.tsx'
import { tasks } from './count.ts'

type Props = { count: number; onConfirm: () => void; onClose: () => void }

export function BulkDone({ count, onConfirm, onClose }: Props) {
  return (
    <Dialog
      title={`Mark ${tasks(count)} done?`}
      onClose={onClose}
      footer={
        <>
          <button type="button" className="btn" onClick={onClose}>
            Keep them open
          </button>
          <button
            type="button"
            className="btn primary"
            onClick={() => {
              onClose()
              onConfirm()
            }}
          >
            Mark {tasks(count)} done
          </button>
        </>
      }
    >
      <p className="text-ink-2">
        Their agents are told that the requests are closed. It is sent at once and cannot be taken back.
      </p>
    </Dialog>
  )
}
