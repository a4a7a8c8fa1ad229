import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { groupPrefix } from '../../../../contract/group-prefix.ts'
import { limits } from '../../../../contract/limits.ts'
import type { Group } from '../../../../contract/review.ts'
import { escapeBidi } from '../../../lib/escape-bidi.ts'
import { asProblem, fieldError } from '../../../lib/problem.ts'
import { submitHandler } from '../../../lib/submit-handler.ts'
import { useMembers } from '../../../lib/use-members.ts'
import { useWorkspace } from '../../../lib/workspace.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { FormDialogFooter } from '../../../ui/form-dialog-footer.tsx'
import { FormProblem } from '../../../ui/form-problem.tsx'
import { Loaded } from '../../../ui/loaded.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { memberChoices, PickList } from './pick-list.tsx'
import { slugOf } from './slug-of.ts'

/** Creates a group, or changes one. */
export function GroupDialog({ group, onClose }: { group: Group | undefined; onClose: () => void }) {
  const { api, workspaceId } = useWorkspace()
  const queryClient = useQueryClient()
  const membersQuery = useMembers()
  const formId = useId()
  const [name, setName] = useState(group?.name ?? '')
  const [typedSlug, setTypedSlug] = useState<string>()
  const slug = typedSlug ?? slugOf(name)
  const [members, setMembers] = useState(group?.members ?? [])
  /** Sends only the fields that were changed here, so that another admin's changes to the others are kept. */
  async function saveChanges({ groupId, ...before }: Group) {
    const haveMembersChanged = members.toSorted().join() !== before.members.toSorted().join()
    const change = { ...(name !== before.name && { name }), ...(haveMembersChanged && { members }) }
    if (Object.keys(change).length > 0) await api.changeGroup(groupId, change)
  }
  const save = useMutation<unknown>({
    mutationFn: () => (group ? saveChanges(group) : api.createGroup({ slug, name, members })),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['groups', workspaceId] }),
  })
  const problem = save.error && asProblem(save.error)
  return (
    <Dialog
      title={group ? `Edit ${escapeBidi(group.name)}` : 'Create group'}
      {...(group && {
        description:
          'Changes also apply to open tasks that name this group. Answers that were given are kept.',
      })}
      onClose={onClose}
      footer={
        <FormDialogFooter
          formId={formId}
          submitLabel={group ? 'Save group' : 'Create group'}
          isPending={save.isPending}
          onClose={onClose}
        />
      }
    >
      <form
        id={formId}
        className="stack wide-gap"
        // `onSuccess` is not called once this dialog is closed, because another one may be open.
        onSubmit={submitHandler(save, () => save.mutate(undefined, { onSuccess: onClose }))}
      >
        <FormProblem
          message="The group wasn't saved."
          problem={problem}
          fields={group ? ['name', 'members'] : ['name', 'slug', 'members']}
        />
        <TextField
          label="Name"
          autoComplete="off"
          maxLength={limits.groupName}
          placeholder="Finance"
          value={name}
          onChange={({ target }) => setName(target.value)}
          error={fieldError(problem, 'name')}
          required
        />
        {!group && (
          <TextField
            label="Slug"
            autoComplete="off"
            spellCheck={false}
            maxLength={limits.groupSlug}
            value={slug}
            onChange={({ target }) => setTypedSlug(target.value)}
            help={`Agents name the group ${groupPrefix}${slug || '<slug>'}. You can't change this later.`}
            error={fieldError(problem, 'slug')}
            required
          />
        )}
        <Loaded query={membersQuery} subject="The members">
          {(people) => (
            <PickList
              label="Members"
              choices={memberChoices(people)}
              picked={members}
              max={limits.groupMembers}
              onPick={setMembers}
              error={problem?.errors.find(({ path }) => path.startsWith('members'))?.message}
            />
          )}
        </Loaded>
      </form>
    </Dialog>
  )
}
