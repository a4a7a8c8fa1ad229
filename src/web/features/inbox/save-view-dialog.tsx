import { useId, useState } from 'react'
import { limits } from '../../../contract/limits.ts'
import { asProblem } from '../../lib/problem.ts'
import { useRole } from '../../lib/role.ts'
import { submitHandler } from '../../lib/submit-handler.ts'
import type { InboxFilters } from '../../parts/task-list/inbox-filters.ts'
import checkLineStyles from '../../ui/check-line.module.css'
import { Dialog } from '../../ui/dialog.tsx'
import { FormDialogFooter } from '../../ui/form-dialog-footer.tsx'
import { FormProblem } from '../../ui/form-problem.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { useSaveViews } from './use-save-views.ts'

/** Saves the current filters under a name. */
export default function SaveViewDialog({ filters, onClose }: { filters: InboxFilters; onClose: () => void }) {
  const { isAtLeast } = useRole()
  const [name, setName] = useState('')
  const [isShared, setShared] = useState(false)
  const save = useSaveViews(isShared ? 'shared' : 'own')
  const formId = useId()
  const problem = save.error && asProblem(save.error)
  const nameError = problem?.errors.find(({ path }) => path.endsWith('.name'))

  function submit() {
    save.mutate((views) => [...views, { name: name.trim(), filters }], { onSuccess: onClose })
  }

  return (
    <Dialog
      title="Save view"
      description="Adds a tab to the inbox with the tasks that match the current filters."
      onClose={onClose}
      footer={
        <FormDialogFooter
          formId={formId}
          submitLabel="Save view"
          isPending={save.isPending}
          onClose={onClose}
        />
      }
    >
      <form id={formId} className="stack wide-gap" onSubmit={submitHandler(save, submit)}>
        <FormProblem
          message="The view wasn't saved."
          problem={problem}
          fields={nameError ? [nameError.path] : []}
        />
        <TextField
          label="Name"
          autoComplete="off"
          maxLength={limits.viewName}
          placeholder="Refunds"
          value={name}
          onChange={({ target }) => setName(target.value)}
          error={nameError?.message}
          required
        />
        {isAtLeast('admin') && (
          <label className={checkLineStyles.checkLine}>
            <input type="checkbox" checked={isShared} onChange={({ target }) => setShared(target.checked)} />
            For everyone in the workspace
          </label>
        )}
      </form>
    </Dialog>
  )
}
