{{- define "platform.name" -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- end }}

{{- define "platform.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "platform.labels" -}}
{{ include "platform.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{- define "platform.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{- /* What every pod has: no rights, no account of the cluster. */ -}}
{{- define "platform.pod" -}}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  {{- with .Values.runAs.user }}
  runAsUser: {{ int . }}
  {{- end }}
  {{- with .Values.runAs.group }}
  runAsGroup: {{ int . }}
  fsGroup: {{ int . }}
  fsGroupChangePolicy: OnRootMismatch
  {{- end }}
  seccompProfile: { type: RuntimeDefault }
{{- with .Values.image.pullSecrets }}
imagePullSecrets: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations: {{ toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- define "platform.container" -}}
image: {{ include "platform.image" . | quote }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
{{- end }}

{{- define "platform.secret" -}}
- name: {{ .name }}
  valueFrom: { secretKeyRef: { name: {{ .secret | quote }}, key: {{ .key | quote }} } }
{{- end }}

{{- /* Authorities of the cluster's own: the setting, where they are mounted, and their volume; nothing without a Secret. */ -}}
{{- define "platform.trust" -}}
{{- if .Values.authorities.existingSecret }}
- name: SVC_TLS_CA_FILE
  value: /etc/chatbot-platform/authorities/ca.crt
{{- end }}
{{- end }}

{{- define "platform.authorities" -}}
{{- if .Values.authorities.existingSecret }}
- { name: authorities, mountPath: /etc/chatbot-platform/authorities, readOnly: true }
{{- end }}
{{- end }}

{{- define "platform.volume" -}}
{{- with .Values.authorities.existingSecret }}
- name: authorities
  secret: { secretName: {{ . | quote }} }
{{- end }}
{{- end }}

{{- /* The settings of servers and workers. */ -}}
{{- define "platform.settings" -}}
{{- $database := required "database.existingSecret names a Secret with url and admin-url" .Values.database.existingSecret -}}
- name: SVC_HTTP_HOST
  value: 0.0.0.0
- name: SVC_HTTP_BASE_URL
  value: {{ required "baseUrl is the address at which browsers reach the platform" .Values.baseUrl | quote }}
- name: SVC_HTTP_TRUSTED_PROXIES
  value: {{ join "," .Values.trustedProxies | quote }}
- name: SVC_HTTP_DRAIN_SECONDS
  value: "10"
- name: SVC_AUTH_URL
  value: {{ required "auth.url is the address of the identity provider" .Values.auth.url | quote }}
- name: SVC_METRICS_ALLOWLIST
  value: {{ join "," .Values.metrics.networks | quote }}
- name: SVC_CORS_TENANT_ORIGINS
  value: "true"
{{ include "platform.secret" (dict "name" "SVC_DATABASE_URL" "secret" $database "key" "url") }}
{{- with .Values.auth.existingSecret }}
{{ include "platform.secret" (dict "name" "SVC_AUTH_AUDIT_CLIENT_SECRET" "secret" . "key" "audit-client-secret") }}
{{ include "platform.secret" (dict "name" "SVC_AUTH_PEOPLE_CLIENT_SECRET" "secret" . "key" "people-client-secret") }}
{{- end }}
{{- with .Values.uploads.url }}
- name: SVC_UPLOADS_URL
  value: {{ . | quote }}
{{- end }}
{{- with .Values.uploads.existingSecret }}
{{ include "platform.secret" (dict "name" "SVC_UPLOADS_ACCESS_KEY_ID" "secret" . "key" "access-key-id") }}
{{ include "platform.secret" (dict "name" "SVC_UPLOADS_SECRET_ACCESS_KEY" "secret" . "key" "secret-access-key") }}
{{- end }}
{{- include "platform.trust" . }}
{{- range $name, $value := .Values.settings }}
- name: {{ $name }}
  value: {{ $value | toString | quote }}
{{- end }}
{{- range .Values.secretSettings }}
{{ include "platform.secret" . }}
{{- end }}
{{- end }}

{{- define "platform.mounts" -}}
- { name: temporary, mountPath: /tmp }
- { name: state, mountPath: /var/lib/chatbot-platform }
{{- include "platform.authorities" . }}
{{- end }}

{{- define "platform.volumes" -}}
- name: temporary
  emptyDir: {}
- name: state
  {{- if .Values.uploads.url }}
  emptyDir: {}
  {{- else }}
  persistentVolumeClaim:
    claimName: {{ .Values.uploads.existingClaim | default (printf "%s-uploads" (include "platform.name" .)) }}
  {{- end }}
{{- include "platform.volume" . }}
{{- end }}
