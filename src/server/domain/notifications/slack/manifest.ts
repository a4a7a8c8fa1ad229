import type { Service } from '../../service.ts'

export function interactionsUrl({ publicUrl }: Pick<Service, 'publicUrl'>, workspaceId: string): string {
  return `${publicUrl}/slack/${workspaceId}/interactions`
}

/**
 * The default name of the slash command. Two Handrail workspaces that use one Slack workspace need
 * two names, so admins may choose another name in Slack.
 */
export const slackCommand = '/handrail'

/** The manifest of the Slack app that an admin creates for the workspace. */
export function manifestOf(service: Pick<Service, 'publicUrl'>, workspaceId: string): string {
  const url = interactionsUrl(service, workspaceId)
  const manifest = {
    display_information: { name: 'Handrail', description: 'Answer the tasks of your AI agents' },
    features: {
      app_home: { home_tab_enabled: false, messages_tab_enabled: true, messages_tab_read_only_enabled: true },
      bot_user: { display_name: 'Handrail', always_online: true },
      slash_commands: [
        {
          command: slackCommand,
          url,
          description: 'Link your Slack user to your Handrail account',
          usage_hint: 'link CODE',
          should_escape: false,
        },
      ],
    },
    oauth_config: { scopes: { bot: ['chat:write', 'chat:write.public', 'commands', 'users:read'] } },
    settings: {
      interactivity: { is_enabled: true, request_url: url },
      org_deploy_enabled: false,
      socket_mode_enabled: false,
      token_rotation_enabled: false,
    },
  }
  return JSON.stringify(manifest, null, 2)
}
