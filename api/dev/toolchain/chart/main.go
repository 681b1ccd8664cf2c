// Renders a Helm chart as `helm template` does, and reads every object strictly as its Kubernetes type: an unknown field or a
// value of another type fails. Values come from standard input; the objects go to standard output, as a JSON array.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"

	"helm.sh/helm/v3/pkg/chart/loader"
	"helm.sh/helm/v3/pkg/chartutil"
	"helm.sh/helm/v3/pkg/engine"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/yaml"
)

// What a chart of ours may hold, by apiVersion and kind.
var types = map[string]func() runtime.Object{
	"apps/v1 Deployment":                 func() runtime.Object { return &appsv1.Deployment{} },
	"v1 ConfigMap":                       func() runtime.Object { return &corev1.ConfigMap{} },
	"v1 Secret":                          func() runtime.Object { return &corev1.Secret{} },
	"v1 Service":                         func() runtime.Object { return &corev1.Service{} },
	"v1 ServiceAccount":                  func() runtime.Object { return &corev1.ServiceAccount{} },
	"networking.k8s.io/v1 Ingress":       func() runtime.Object { return &networkingv1.Ingress{} },
	"networking.k8s.io/v1 NetworkPolicy": func() runtime.Object { return &networkingv1.NetworkPolicy{} },
	"policy/v1 PodDisruptionBudget":      func() runtime.Object { return &policyv1.PodDisruptionBudget{} },
}

var separator = regexp.MustCompile(`(?m)^---\s*$`)

func main() {
	if err := render(os.Args[1], os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func render(folder string, in io.Reader, out io.Writer) error {
	given, err := io.ReadAll(in)
	if err != nil {
		return err
	}
	values, err := chartutil.ReadValues(given)
	if err != nil {
		return err
	}
	chart, err := loader.Load(folder)
	if err != nil {
		return err
	}
	release := chartutil.ReleaseOptions{Name: "test", Namespace: "models", Revision: 1, IsInstall: true}
	all, err := chartutil.ToRenderValues(chart, values, release, chartutil.DefaultCapabilities)
	if err != nil {
		return err
	}
	files, err := engine.Render(chart, all)
	if err != nil {
		return err
	}
	names := []string{}
	for name := range files {
		if strings.HasSuffix(name, ".yaml") {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	objects := []runtime.Object{}
	for _, name := range names {
		for _, text := range separator.Split(files[name], -1) {
			if strings.TrimSpace(text) == "" {
				continue
			}
			object, err := read(text)
			if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			objects = append(objects, object)
		}
	}
	return json.NewEncoder(out).Encode(objects)
}

func read(text string) (runtime.Object, error) {
	var head struct{ APIVersion, Kind string }
	if err := yaml.Unmarshal([]byte(text), &head); err != nil {
		return nil, err
	}
	made, known := types[head.APIVersion+" "+head.Kind]
	if !known {
		return nil, fmt.Errorf("unknown kind %s %s", head.APIVersion, head.Kind)
	}
	object := made()
	return object, yaml.UnmarshalStrict([]byte(text), object)
}
