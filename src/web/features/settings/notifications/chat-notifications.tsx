import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import type { ChatFor, Notifications } from '../../../../contract/notification.ts'
import { asProblem, fieldError } from '../../../lib/problem.ts'
import { useRole } from '../../../lib/role.ts'
import { submitHandler } from '../../../lib/submit-handler.ts'
import { useWorkspace } from '../../../lib/workspace.ts'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { NotAllowed } from '../../../ui/not-allowed.tsx'
import { Options, Select } from '../../../ui/select.tsx'
import { ProblemStrip, Strip } from '../../../ui/strip.tsx'
import { TextField } from '../../../ui/text-field.tsx'

const priorityOptions: [ChatFor, string][] = [
  ['urgent', 'Urgent'],
  ['high', 'Urgent and high'],
  ['all', 'All tasks'],
]

export function ChatNotifications({ chat }: { chat: Notifications['chat'] }) {
  const { isAtLeast } = useRole()
  return (
    <section>
      <h2>Chat webhook</h2>
      <p>
        Posts new tasks, assignments to groups, reminders, escalations and paused rules to a chat service, for
        everyone in this workspace. Works with incoming webhooks of Slack, Mattermost and compatible services.
        {chat && (
          <>
            {' '}
            Currently posting to <code>{chat.host}</code> ({labelOf(chat.for)}).
          </>
        )}
      </p>
      <NotAllowed minRole="admin" to="change the chat webhook" />
      {isAtLeast('admin') && <ChatWebhookForm chat={chat} />}
    </section>
  )
}

function ChatWebhookForm({ chat }: { chat: Notifications['chat'] }) {
  const { api, workspaceId } = useWorkspace()
  const queryClient = useQueryClient()
  const selectId = useId()
  const queryKey = ['notifications', workspaceId]
  const save = useMutation({
    mutationFn: api.setChat,
    onSuccess: (changed) => queryClient.setQueryData(queryKey, changed),
  })
  const [isRemoving, setRemoving] = useState(false)
  const test = useMutation({ mutationFn: () => api.sendTestChat() })
  const saveProblem = save.error && asProblem(save.error)
  const urlError = fieldError(saveProblem, 'url')
  return (
    <>
      <form
        className="one-line above-12"
        onSubmit={submitHandler(save, (fields, form) => {
          test.reset()
          save.mutate(
            { url: String(fields.get('url')), for: String(fields.get('for')) as ChatFor },
            { onSuccess: () => form.reset() },
          )
        })}
      >
        <TextField
          label={chat ? 'New webhook URL' : 'Webhook URL'}
          name="url"
          type="url"
          placeholder="https://hooks.slack.com/services/…"
          autoComplete="off"
          error={urlError}
          required
        />
        <div className="narrow">
          <label className="lbl" htmlFor={selectId}>
            Notify about
          </label>
          <Select id={selectId} name="for" key={chat?.for} defaultValue={chat?.for ?? 'high'}>
            <Options options={priorityOptions} />
          </Select>
        </div>
        <button className="btn" type="submit" aria-disabled={save.isPending}>
          {save.isPending ? 'Saving…' : 'Save'}
        </button>
      </form>
      {chat && (
        <p className="above-12 cluster">
          <button
            type="button"
            className="btn"
            aria-disabled={test.isPending}
            onClick={() => !test.isPending && test.mutate()}
          >
            Send test message
          </button>
          <button type="button" className="btn quiet" onClick={() => setRemoving(true)}>
            Remove webhook
          </button>
        </p>
      )}
      {isRemoving && (
        <ConfirmDialog
          title="Remove the chat webhook?"
          description="Handrail no longer posts to it. You need its URL to add it again."
          confirmLabel="Remove webhook"
          onConfirm={async () => {
            await api.removeChat()
            await queryClient.invalidateQueries({ queryKey })
          }}
          onClose={() => setRemoving(false)}
        />
      )}
      {chat && save.isSuccess && <Strip tone="success">The chat webhook was saved.</Strip>}
      {saveProblem && !urlError && (
        <ProblemStrip message="The chat webhook wasn't saved." problem={saveProblem} />
      )}
      {chat && test.isSuccess && (
        <Strip tone="success">The test message is on its way. See the result in Settings, Webhooks.</Strip>
      )}
      {test.error && <ProblemStrip message="The test message wasn't sent." problem={asProblem(test.error)} />}
    </>
  )
}

function labelOf(priorities: ChatFor): string {
  return priorityOptions.find(([value]) => value === priorities)?.[1].toLowerCase() ?? priorities
}
