{{- define "arsenal.labels" -}}
app.kubernetes.io/name: arsenal
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{- define "arsenal.selector" -}}
app.kubernetes.io/name: arsenal
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .role }}
{{- end }}

{{- define "arsenal.secret" -}}
{{- .Values.existingSecret | default (printf "%s-arsenal" .Release.Name) }}
{{- end }}

{{- /* Passwords and tokens travel in every request, so plain HTTP has to be asked for. */ -}}
{{- define "arsenal.checks" -}}
{{- if not .Values.insecure }}
{{- if not (hasPrefix "https://" .Values.config.server.public_url) }}
{{- fail "config.server.public_url must begin with https://. For plain HTTP on a closed network, set insecure=true." }}
{{- end }}
{{- if and .Values.ingress.enabled (not .Values.ingress.tlsSecret) }}
{{- fail "ingress.tlsSecret is required: the name of a TLS Secret. For plain HTTP on a closed network, set insecure=true." }}
{{- end }}
{{- end }}
{{- end }}

{{- define "arsenal.account" -}}
{{- if .Values.serviceAccount.create }}{{ .Values.serviceAccount.name | default (printf "%s-arsenal" .Release.Name) }}
{{- else }}{{ .Values.serviceAccount.name | default "default" }}{{ end }}
{{- end }}

{{- /* The processes of one role: { root, role, of } with `of` its values. */ -}}
{{- define "arsenal.deployment" -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ .root.Release.Name }}-arsenal-{{ .role }}
  labels: {{- include "arsenal.labels" .root | nindent 4 }}
    app.kubernetes.io/component: {{ .role }}
spec:
  replicas: {{ .of.replicas }}
  selector:
    matchLabels: {{- include "arsenal.selector" . | nindent 6 }}
  template:
    metadata:
      labels: {{- include "arsenal.selector" . | nindent 8 }}
      annotations:
        # A change of the configuration begins new pods.
        arsenal/config: {{ toYaml .root.Values.config | sha256sum }}
        arsenal/secrets: {{ toYaml .root.Values.secrets | sha256sum }}
    spec:
      serviceAccountName: {{ include "arsenal.account" .root }}
      automountServiceAccountToken: false
      # Variables of other Services could look like keys of the configuration.
      enableServiceLinks: false
      terminationGracePeriodSeconds: {{ .root.Values.terminationGracePeriodSeconds }}
      {{- with .root.Values.imagePullSecrets }}
      imagePullSecrets: {{- toYaml . | nindent 8 }}
      {{- end }}
      securityContext:
        runAsNonRoot: true
        runAsUser: 10001
        runAsGroup: 10001
        fsGroup: 10001
        seccompProfile: { type: RuntimeDefault }
      containers:
        - name: arsenal
          image: "{{ .root.Values.image.repository }}:{{ .root.Values.image.tag | default .root.Chart.AppVersion }}"
          imagePullPolicy: {{ .root.Values.image.pullPolicy }}
          args: [serve, --config, /etc/arsenal/config.yaml]
          env:
            - { name: SERVICE_SERVER_ROLE, value: {{ .role }} }
            - { name: SERVICE_SERVER_LISTEN, value: ':8080' }
          envFrom:
            - secretRef: { name: {{ include "arsenal.secret" .root }} }
          ports:
            - { name: http, containerPort: 8080 }
          # /readyz answers 503 until the bucket does, and while stopping.
          readinessProbe:
            httpGet: { path: /readyz, port: http }
            periodSeconds: 5
            timeoutSeconds: 5
          livenessProbe:
            httpGet: { path: /healthz, port: http }
            periodSeconds: 10
            timeoutSeconds: 5
            failureThreshold: 6
          startupProbe:
            httpGet: { path: /healthz, port: http }
            periodSeconds: 5
            # Migrations of a large database come before the first answer.
            failureThreshold: 360
          securityContext:
            allowPrivilegeEscalation: false
            readOnlyRootFilesystem: true
            capabilities: { drop: [ALL] }
          resources: {{- toYaml .of.resources | nindent 12 }}
          volumeMounts:
            - { name: config, mountPath: /etc/arsenal, readOnly: true }
            - { name: data, mountPath: /var/lib/service }
            - { name: cache, mountPath: /var/cache/service }
            - { name: temporary, mountPath: /tmp }
      volumes:
        - name: config
          configMap: { name: {{ .root.Release.Name }}-arsenal }
        - name: data
          emptyDir: { sizeLimit: 1Gi }
        - name: cache
          emptyDir: { sizeLimit: {{ .root.Values.cacheSize }} }
        # What is sent to the bucket is spooled here.
        - name: temporary
          emptyDir: { sizeLimit: {{ .root.Values.temporarySize }} }
{{- end }}
