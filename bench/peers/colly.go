// Colly, asynchronous. Arguments: output file, root pages.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"strings"
	"sync"

	"github.com/gocolly/colly/v2"
)

type page struct {
	URL   string `json:"url"`
	Title string `json:"title"`
	Text  string `json:"text"`
}

func main() {
	roots := os.Args[2:]
	file, err := os.Create(os.Args[1])
	if err != nil {
		panic(err)
	}
	out := bufio.NewWriter(file)
	encoder := json.NewEncoder(out)
	var lock sync.Mutex
	pages := 0

	hosts := []string{}
	for _, root := range roots {
		parsed, err := url.Parse(root)
		if err != nil {
			panic(err)
		}
		hosts = append(hosts, parsed.Hostname())
	}
	collector := colly.NewCollector(colly.Async(true), colly.AllowedDomains(hosts...))
	if err := collector.Limit(&colly.LimitRule{DomainGlob: "*", Parallelism: 16}); err != nil {
		panic(err)
	}
	collector.OnHTML("a[href]", func(e *colly.HTMLElement) {
		// Colly takes URLs that differ in their fragment for different pages.
		href, _, _ := strings.Cut(e.Attr("href"), "#")
		if href != "" {
			_ = e.Request.Visit(href)
		}
	})
	collector.OnHTML("html", func(e *colly.HTMLElement) {
		title := e.DOM.Find("title").Text()
		text := e.DOM.Find("body").Text()
		lock.Lock()
		defer lock.Unlock()
		pages++
		_ = encoder.Encode(page{e.Request.URL.String(), title, text})
	})
	for _, root := range roots {
		_ = collector.Visit(root)
	}
	collector.Wait()
	if err := out.Flush(); err != nil {
		panic(err)
	}
	fmt.Printf("{\"pages\": %d}\n", pages)
}
