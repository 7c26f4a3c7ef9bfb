{{- define "memoir.labels" -}}
app.kubernetes.io/name: memoir
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
{{- end }}

{{- define "memoir.secret" -}}
- name: {{ .name }}
  valueFrom:
    secretKeyRef:
      name: {{ .root.Values.secretName }}
      key: {{ .key }}
{{- end }}

{{- define "memoir.settings" -}}
- name: MEMOIR_DATABASE_URL
  value: {{ .Values.database.url | quote }}
{{- if .Values.database.pooled }}
- name: MEMOIR_DATABASE_POOLED
  value: '1'
- name: MEMOIR_DATABASE_DIRECT_URL
  value: {{ required "database.directUrl is needed with database.pooled" .Values.database.directUrl | quote }}
{{- end }}
- name: CHROMA_URL
  value: {{ .Values.chroma.url | quote }}
- name: MEMOIR_BLOBS_URL
  value: {{ .Values.blobs.url | quote }}
{{- with .Values.blobs.endpoint }}
- name: MEMOIR_BLOBS_ENDPOINT
  value: {{ . | quote }}
{{- end }}
- name: MEMOIR_BLOBS_REGION
  value: {{ .Values.blobs.region | quote }}
- name: MEMOIR_BLOBS_KEY_ID
  value: {{ .Values.blobs.keyId | quote }}
- name: MEMOIR_BASE_URL
  value: {{ .Values.baseUrl | quote }}
- name: MEMOIR_TRUSTED_PROXIES
  value: {{ .Values.trustedProxies | quote }}
{{ include "memoir.secret" (dict "root" . "name" "MEMOIR_DATABASE_PASSWORD" "key" "databasePassword") }}
{{ include "memoir.secret" (dict "root" . "name" "MEMOIR_SECRET_KEY" "key" "secretKey") }}
{{ include "memoir.secret" (dict "root" . "name" "MEMOIR_API_KEY" "key" "apiKey") }}
{{ include "memoir.secret" (dict "root" . "name" "MEMOIR_BLOBS_SECRET" "key" "blobsSecret") }}
{{- range $name, $value := .Values.settings }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- range $name, $key := .Values.secretSettings }}
{{ include "memoir.secret" (dict "root" $ "name" $name "key" $key) }}
{{- end }}
{{- end }}
