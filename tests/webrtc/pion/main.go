// SPDX-License-Identifier: LGPL-2.1-or-later

// A peer over RTP that reports by RFC 8888, or follows such reports, with the
// interceptors of pion:
//
//	pion receive PORT RTCP_PORT     media comes to PORT, reports go to RTCP_PORT
//	pion send PORT RTCP_PORT        media goes to PORT, reports come to RTCP_PORT
//
// At its end it prints what it has seen, as JSON.
package main

import (
	"encoding/json"
	"fmt"
	"net"
	"os"
	"strconv"
	"time"

	"github.com/pion/interceptor"
	"github.com/pion/interceptor/pkg/ccfb"
	"github.com/pion/interceptor/pkg/rtpfb"
	"github.com/pion/rtcp"
	"github.com/pion/rtp"
	"golang.org/x/net/ipv4"
)

const (
	duration    = 8 * time.Second
	lastReports = time.Second
	ssrc        = 4321
	packets     = 400
	// The numbers wrap, and each twentieth packet is not sent.
	firstSeq = 65400
	missing  = 20
	ect1     = 1
)

type seen struct {
	Received int         `json:"received"`
	Reports  int         `json:"reports"`
	Arrived  int         `json:"arrived"`
	Lost     int         `json:"lost"`
	Strange  int         `json:"strange"`
	ECN      map[int]int `json:"ecn"`
	MaxRTT   float64     `json:"max_rtt_ms"`
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func address(port string) *net.UDPAddr {
	number, err := strconv.Atoi(port)
	check(err)
	return &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1), Port: number}
}

func listen(port string) *net.UDPConn {
	conn, err := net.ListenUDP("udp4", address(port))
	check(err)
	return conn
}

func dial(port string) *net.UDPConn {
	conn, err := net.DialUDP("udp4", nil, address(port))
	check(err)
	return conn
}

func read(conn *net.UDPConn, end time.Time) func([]byte, interceptor.Attributes) (int, interceptor.Attributes, error) {
	check(conn.SetReadDeadline(end))
	return func(b []byte, a interceptor.Attributes) (int, interceptor.Attributes, error) {
		n, err := conn.Read(b)
		return n, a, err
	}
}

// receive reports what comes until the time is over.
func receive(mediaPort, rtcpPort string) seen {
	var result seen
	media, reports := listen(mediaPort), dial(rtcpPort)
	factory, err := ccfb.NewSenderInterceptor(ccfb.SendInterval(50 * time.Millisecond))
	check(err)
	reporter, err := factory.NewInterceptor("")
	check(err)
	reporter.BindRTCPWriter(interceptor.RTCPWriterFunc(
		func(messages []rtcp.Packet, _ interceptor.Attributes) (int, error) {
			raw, err := rtcp.Marshal(messages)
			if err != nil {
				return 0, err
			}
			result.Reports++
			return reports.Write(raw)
		}))
	reader := reporter.BindRemoteStream(&interceptor.StreamInfo{},
		interceptor.RTPReaderFunc(read(media, time.Now().Add(duration))))
	buffer := make([]byte, 2000)
	for {
		if _, _, err := reader.Read(buffer, nil); err != nil {
			break
		}
		result.Received++
	}
	check(reporter.Close())
	return result
}

// follow counts what reports tell of the packets, until the time is over.
func follow(result *seen, reader interceptor.RTCPReader) {
	known := map[uint64]bool{}
	buffer := make([]byte, 2000)
	for {
		_, attributes, err := reader.Read(buffer, nil)
		if err != nil {
			return
		}
		report, ok := attributes.Get(rtpfb.CCFBAttributesKey).(rtpfb.Report)
		if !ok {
			continue
		}
		result.Reports++
		result.MaxRTT = max(result.MaxRTT, float64(report.RTT.Microseconds())/1000)
		for _, packet := range report.PacketReports {
			switch {
			case packet.SSRC != ssrc || packet.IsTWCC:
				result.Strange++
			case packet.Arrived && !known[packet.SequenceNumber]:
				known[packet.SequenceNumber] = true
				result.Arrived++
				result.ECN[int(packet.ECN)]++
			}
		}
	}
}

// send has ECT(1) on its packets; of each twenty one leaves as far as pion knows, and
// is never on the wire.
func send(mediaPort, rtcpPort string) seen {
	result := seen{ECN: map[int]int{}}
	media, reports := dial(mediaPort), listen(rtcpPort)
	check(ipv4.NewConn(media).SetTOS(ect1))
	factory, err := rtpfb.NewInterceptor()
	check(err)
	follower, err := factory.NewInterceptor("")
	check(err)
	sent := 0
	writer := follower.BindLocalStream(&interceptor.StreamInfo{}, interceptor.RTPWriterFunc(
		func(header *rtp.Header, payload []byte, _ interceptor.Attributes) (int, error) {
			sent++
			if sent%missing == 0 {
				result.Lost++
				return len(payload), nil
			}
			raw, err := (&rtp.Packet{Header: *header, Payload: payload}).Marshal()
			if err != nil {
				return 0, err
			}
			// Nobody may listen yet.
			_, _ = media.Write(raw)
			return len(raw), nil
		}))
	end := time.Now().Add(packets*10*time.Millisecond + lastReports)
	done := make(chan struct{})
	go func() {
		follow(&result, follower.BindRTCPReader(interceptor.RTCPReaderFunc(read(reports, end))))
		close(done)
	}()
	payload := make([]byte, 200)
	for i := range packets {
		header := &rtp.Header{
			Version: 2, PayloadType: 96, SSRC: ssrc, SequenceNumber: uint16((firstSeq + i) % 65536),
			Timestamp: uint32(i * 900), Marker: i%3 == 2,
		}
		_, err := writer.Write(header, payload, nil)
		check(err)
		time.Sleep(10 * time.Millisecond)
	}
	<-done
	return result
}

func main() {
	modes := map[string]func(string, string) seen{"receive": receive, "send": send}
	if len(os.Args) != 4 || modes[os.Args[1]] == nil {
		fmt.Fprintln(os.Stderr, "usage: pion receive|send PORT RTCP_PORT")
		os.Exit(2)
	}
	check(json.NewEncoder(os.Stdout).Encode(modes[os.Args[1]](os.Args[2], os.Args[3])))
}
